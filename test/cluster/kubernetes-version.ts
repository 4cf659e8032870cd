/** The Kubernetes that the module files pin, and that the binaries call themselves. */
export const kubernetesVersion = 'v1.36.3';
