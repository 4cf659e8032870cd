/** How to reach an API server, and as whom. Everything that can change while a program runs is asked for anew. */
export interface ClusterConfig {
  /** `https://host:port`, possibly with a path before `/api`. */
  readonly server: string;
  /** The namespace of whoever connects, for what has none of its own. */
  readonly namespace: string;
  /** Returns the same value until certificates changed; a new one closes the old connections in good order. */
  tls(): Promise<TlsOptions>;
  /** The `Authorization` header. Credentials are read anew where those that the server `refused` are what is still known. */
  authorization(options?: { readonly refused?: Shown | undefined }): Promise<string | undefined>;
  /** More headers of every request; several values are several headers of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly proxyUrl?: string;
  /** Of a kubeconfig: which of its contexts this is. */
  readonly context?: string;
}

/** What a request showed to the server. */
export interface Shown {
  readonly authorization: string | undefined;
  readonly tls: TlsOptions;
}

/** The TLS side of a connection; certificates and keys in PEM. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}
