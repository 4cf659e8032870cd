/** A CustomResourceDefinition of a kind `Wide` with so many fields, as JSON. */
export const wideDefinition = (fields: number) =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'Wide', plural: 'wides' },
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, {}])),
            },
          },
        },
      ],
    },
  });
