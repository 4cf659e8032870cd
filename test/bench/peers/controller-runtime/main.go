// Command peer keeps a Deployment and a headless Service for every Memcached, in the way of the controller-runtime book:
// reads come from the cache, writes are made by CreateOrUpdate only where something differs.
package main

import (
	"context"
	"os"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var groupVersion = schema.GroupVersion{Group: "cache.example.com", Version: "v1"}

// MemcachedSpec is what a user asks for.
type MemcachedSpec struct {
	Size  int32  `json:"size"`
	Image string `json:"image"`
}

// MemcachedStatus is what was observed.
type MemcachedStatus struct {
	ReadyReplicas      int32 `json:"readyReplicas"`
	ObservedGeneration int64 `json:"observedGeneration"`
}

// Memcached is the custom resource.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MemcachedSpec   `json:"spec,omitempty"`
	Status            MemcachedStatus `json:"status,omitempty"`
}

// MemcachedList is a list of them.
type MemcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Memcached `json:"items"`
}

// DeepCopyObject is what controller-gen would write.
func (in *Memcached) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DeepCopyObject is what controller-gen would write.
func (in *MemcachedList) DeepCopyObject() runtime.Object {
	out := *in
	out.Items = make([]Memcached, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *(in.Items[i].DeepCopyObject().(*Memcached))
	}
	return &out
}

type reconciler struct {
	client.Client
	scheme *runtime.Scheme
}

// Reconcile brings the children of one Memcached to what its spec asks for, and its status to what is observed.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	memcached := &Memcached{}
	if err := r.Get(ctx, request.NamespacedName, memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if memcached.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	deployment, err := r.deployment(ctx, memcached)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.service(ctx, memcached); err != nil {
		return ctrl.Result{}, err
	}
	status := MemcachedStatus{
		ReadyReplicas:      deployment.Status.ReadyReplicas,
		ObservedGeneration: memcached.Generation,
	}
	if memcached.Status == status {
		return ctrl.Result{}, nil
	}
	memcached.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, memcached)
}

func labelsOf(memcached *Memcached) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":     "memcached",
		"app.kubernetes.io/instance": memcached.Name,
	}
}

func (r *reconciler) deployment(ctx context.Context, memcached *Memcached) (*appsv1.Deployment, error) {
	labels := labelsOf(memcached)
	deployment := &appsv1.Deployment{}
	deployment.Name, deployment.Namespace = memcached.Name, memcached.Namespace
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Labels = labels
		deployment.Spec.Replicas = &memcached.Spec.Size
		if deployment.Spec.Selector == nil {
			deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		}
		template := &deployment.Spec.Template
		template.Labels = labels
		if len(template.Spec.Containers) != 1 {
			template.Spec.Containers = []corev1.Container{{}}
		}
		container := &template.Spec.Containers[0]
		container.Name, container.Image = "memcached", memcached.Spec.Image
		if len(container.Ports) != 1 {
			container.Ports = []corev1.ContainerPort{{}}
		}
		port := &container.Ports[0]
		// The protocol is what the server would default it to, or each reconcile would find a difference.
		port.Name, port.ContainerPort, port.Protocol = "memcached", 11211, corev1.ProtocolTCP
		return controllerutil.SetControllerReference(memcached, deployment, r.scheme)
	})
	return deployment, err
}

func (r *reconciler) service(ctx context.Context, memcached *Memcached) error {
	labels := labelsOf(memcached)
	service := &corev1.Service{}
	service.Name, service.Namespace = memcached.Name, memcached.Namespace
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Labels, service.Spec.Selector, service.Spec.ClusterIP = labels, labels, corev1.ClusterIPNone
		if len(service.Spec.Ports) != 1 {
			service.Spec.Ports = []corev1.ServicePort{{}}
		}
		port := &service.Spec.Ports[0]
		port.Name, port.Port = "memcached", 11211
		port.Protocol, port.TargetPort = corev1.ProtocolTCP, intstr.FromInt32(11211)
		return controllerutil.SetControllerReference(memcached, service, r.scheme)
	})
	return err
}

func main() {
	if err := run(); err != nil {
		println(err.Error())
		os.Exit(1)
	}
}

func run() error {
	workers, err := strconv.Atoi(os.Getenv("BENCH_WORKERS"))
	if err != nil {
		workers = 16
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypes(groupVersion, &Memcached{}, &MemcachedList{})
	metav1.AddToGroupVersion(scheme, groupVersion)

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	// No limit of the client's own: the server decides.
	config.QPS, config.Burst = -1, 0
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme: scheme,
		// Nobody here reads them, and they are as large as the rest of an object. A write without them leaves them as they are.
		Cache:                  cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(&reconciler{manager.GetClient(), scheme})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
