import { describe, expect, it } from '@jest/globals';
import { imageTag } from '../../src/kube/image-reference.js';

const digest = `sha256:${'0'.repeat(64)}`;

describe('the tag of an image', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:1.27', '1.27'],
    ['nginx:latest', 'latest'],
    ['library/nginx', 'latest'],
    ['docker.io/nginx:1', '1'],
    ['registry.example.com:5000/a/b:v1', 'v1'],
    ['localhost/nginx', 'latest'],
    ['registry:5000/nginx', 'latest'],
    ['[::1]:5000/nginx:2', '2'],
    [`nginx@${digest}`, undefined],
    [`nginx:1.27@${digest}`, '1.27'],
    ['nginx@sha256:00', undefined],
    [`nginx:latest@md5:${'0'.repeat(32)}`, undefined],
    ['Nginx', undefined],
    ['nginx:', undefined],
    ['', undefined],
    ['a'.repeat(64), undefined],
    ['a'.repeat(256), undefined],
  ])('of %s is %s', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});
