// Prints, as JSON, how the types of the built-in kinds are written down in JSON: what OpenAPI does not tell, such as
// pointers, omitempty, the names that decoders put into their messages, and the struct tags of strategic merge patch.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var groups = []func(*runtime.Scheme) error{
	admissionregistrationv1.AddToScheme,
	apiextensionsv1.AddToScheme,
	appsv1.AddToScheme,
	authenticationv1.AddToScheme,
	authorizationv1.AddToScheme,
	autoscalingv1.AddToScheme,
	autoscalingv2.AddToScheme,
	batchv1.AddToScheme,
	certificatesv1.AddToScheme,
	coordinationv1.AddToScheme,
	corev1.AddToScheme,
	discoveryv1.AddToScheme,
	eventsv1.AddToScheme,
	flowcontrolv1.AddToScheme,
	networkingv1.AddToScheme,
	nodev1.AddToScheme,
	policyv1.AddToScheme,
	rbacv1.AddToScheme,
	resourcev1.AddToScheme,
	schedulingv1.AddToScheme,
	storagev1.AddToScheme,
}

// Types that read and write JSON in their own way.
var special = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():                            "quantity",
	reflect.TypeFor[intstr.IntOrString]():                           "intOrString",
	reflect.TypeFor[metav1.Time]():                                  "time",
	reflect.TypeFor[metav1.MicroTime]():                             "microTime",
	reflect.TypeFor[metav1.Duration]():                              "duration",
	reflect.TypeFor[metav1.FieldsV1]():                              "fieldsV1",
	reflect.TypeFor[runtime.RawExtension]():                         "raw",
	reflect.TypeFor[apiextensionsv1.JSON]():                         "raw",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "schemaOrArray",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "schemaOrBool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "schemaOrStrings",
}

type goType struct {
	// As in messages of decoders: `v1.PodSpec`, `[]v1.Container`, `int32`.
	Name string `json:"name"`
	Kind string `json:"kind"`
	// The name of its schema in OpenAPI.
	Model string `json:"model,omitempty"`
	Elem  string `json:"elem,omitempty"`
	// A list that is a message of its own in protobuf, with the items as field 1.
	Message bool `json:"message,omitempty"`
	// In the order in which the struct declares them, which is the order in which converters read them.
	Fields []field `json:"fields,omitempty"`
}

type field struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Pointer bool   `json:"pointer,omitempty"`
	// The names of the embedded structs that it comes from, outermost first.
	Embedded      []string `json:"embedded,omitempty"`
	OmitEmpty     bool     `json:"omitEmpty,omitempty"`
	OmitZero      bool     `json:"omitZero,omitempty"`
	PatchStrategy string   `json:"patchStrategy,omitempty"`
	PatchMergeKey string   `json:"patchMergeKey,omitempty"`
	// The field numbers in protobuf: of the embedded structs that it comes from, and its own.
	Number []int `json:"number,omitempty"`
}

var types = map[string]*goType{}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range groups {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	stable := regexp.MustCompile(`^v\d+$`)
	kinds := map[string]string{}
	for gvk, t := range scheme.AllKnownTypes() {
		if stable.MatchString(gvk.Version) && strings.Contains(t.PkgPath(), "/api") && t.PkgPath() != "k8s.io/apimachinery/pkg/apis/meta/v1" {
			kinds[gvk.GroupVersion().String()+" "+gvk.Kind] = read(t)
		}
	}
	for _, t := range []reflect.Type{reflect.TypeFor[metav1.DeleteOptions](), reflect.TypeFor[metav1.Status]()} {
		kinds["v1 "+t.Name()] = read(t)
	}
	output := json.NewEncoder(os.Stdout)
	if err := output.Encode(map[string]any{"kinds": kinds, "types": types}); err != nil {
		panic(err)
	}
}

// Describes a type, and all that it is made of; returns the key under which it is described.
func read(t reflect.Type) string {
	key := t.String()
	if t.Name() != "" && t.PkgPath() != "" {
		key = t.PkgPath() + "." + t.Name()
	} else if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		// Types of several packages look the same in String().
		key = t.String() + " of " + read(t.Elem())
	}
	if _, known := types[key]; known {
		return key
	}
	described := &goType{Name: t.String()}
	types[key] = described
	if model, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		described.Model = model.OpenAPIModelName()
	}
	if kind, ok := special[t]; ok {
		described.Kind = kind
		if strings.HasPrefix(kind, "schema") {
			described.Elem = read(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
		}
		return key
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		panic(fmt.Sprintf("%s decodes itself in a way that is not known here", key))
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64, reflect.Uint8:
		described.Kind = t.Kind().String()
	case reflect.Int:
		described.Kind = "int64"
	case reflect.Slice:
		described.Kind = "list"
		described.Elem = read(t.Elem())
		described.Message = reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ MarshalTo([]byte) (int, error) }]())
		if t.Elem().Kind() == reflect.Uint8 {
			described.Kind, described.Elem = "bytes", ""
		}
	case reflect.Map:
		described.Kind = "map"
		described.Elem = read(t.Elem())
		if t.Key().Kind() != reflect.String {
			panic(fmt.Sprintf("%s has keys that are no strings", key))
		}
	case reflect.Struct:
		described.Kind = "struct"
		described.Fields = fieldsOf(t, nil, nil)
	default:
		panic(fmt.Sprintf("%s is of the unknown kind %s", key, t.Kind()))
	}
	return key
}

func fieldsOf(t reflect.Type, embedded []string, numbers []int) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		number := append([]int{}, numbers...)
		if parts := strings.Split(f.Tag.Get("protobuf"), ","); len(parts) > 1 {
			own, err := strconv.Atoi(parts[1])
			if err != nil {
				panic(err)
			}
			number = append(number, own)
		}
		if f.Anonymous && name == "" {
			if f.Type.Kind() != reflect.Struct {
				panic(fmt.Sprintf("%s embeds %s, which is no struct", t, f.Type))
			}
			fields = append(fields, fieldsOf(f.Type, append(append([]string{}, embedded...), f.Name), number)...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		described := field{
			Name:          name,
			Embedded:      embedded,
			PatchStrategy: f.Tag.Get("patchStrategy"),
			PatchMergeKey: f.Tag.Get("patchMergeKey"),
			Number:        number,
		}
		for _, option := range strings.Split(options, ",") {
			switch option {
			case "omitempty":
				described.OmitEmpty = true
			case "omitzero":
				described.OmitZero = true
			case "", "inline":
			default:
				panic(fmt.Sprintf("%s.%s has the unknown option %s", t, f.Name, option))
			}
		}
		of := f.Type
		if of.Kind() == reflect.Pointer {
			described.Pointer = true
			of = of.Elem()
		}
		described.Type = read(of)
		fields = append(fields, described)
	}
	return fields
}
