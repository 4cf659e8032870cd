const clock = 'look at the clock of this machine, and when the certificate of the API server was issued and ends';
const authority =
  'the API server, or what stands before it, shows a certificate of another authority than ca.crt of the account, or the ' +
  'kubeconfig, names: if it was replaced, give this client the new one';
const name =
  'the API server, or what stands before it, shows a certificate of other names: reach it by one of these, have it certified by ' +
  'this one, or name one of these as tls-server-name in the kubeconfig';

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const hints: ReadonlyMap<unknown, string> = new Map([
  ['CERT_NOT_YET_VALID', clock],
  ['CERT_HAS_EXPIRED', clock],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', authority],
  ['UNABLE_TO_GET_ISSUER_CERT', authority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', authority],
  ['SELF_SIGNED_CERT_IN_CHAIN', authority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', authority],
  ['CERT_SIGNATURE_FAILURE', authority],
  ['ERR_TLS_CERT_ALTNAME_INVALID', name],
]);

/** What to do where a server's certificate is not accepted: the words of OpenSSL say it to few. */
export function certificateHint(cause: unknown): string | undefined {
  return hints.get((cause as { readonly code?: unknown } | undefined)?.code);
}
