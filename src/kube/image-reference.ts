const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const pattern = new RegExp(`^(${domain}/${component}(?:/${component})*)(?::([\\w][\\w.-]{0,127}))?(?:@(${digest}))?$`);
const knownDigest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;

/** How an image is asked for. */
export interface ImageReference {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

/**
 * What the name of an image says, or nothing where it is not an image's name at all.
 *
 * https://kubernetes.io/docs/concepts/containers/images/#image-names
 */
export function imageReference(image: string): ImageReference | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) return undefined;
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDockerHub =
    slash < 0 ||
    (!/[.:]/.test(first) && first !== 'localhost' && first === first.toLowerCase()) ||
    first === 'docker.io';
  const rest = slash >= 0 && (!isDockerHub || first === 'docker.io') ? image.slice(slash + 1) : image;
  const host = isDockerHub ? 'docker.io' : first;
  const full = `${host}/${isDockerHub && !rest.includes('/') ? 'library/' : ''}${rest}`;
  const match = pattern.exec(full);
  if (match === null || match[1]!.length - host.length - 1 > 255) return undefined;
  if (match[3] !== undefined && !knownDigest.test(match[3])) return undefined;
  return { tag: match[2], digest: match[3] };
}

/** The tag of an image: `latest` where it has neither a tag nor a digest, and none where it is not an image's name at all. */
export function imageTag(image: string): string | undefined {
  const reference = imageReference(image);
  return reference && (reference.tag ?? (reference.digest === undefined ? 'latest' : undefined));
}
