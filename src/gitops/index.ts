/** `kilter/gitops`: what an app holds as files that Argo CD syncs in order, that kustomize takes, and that people review. */
export { type RenderedFile, render } from './render.js';
export { synth } from './synth.js';
