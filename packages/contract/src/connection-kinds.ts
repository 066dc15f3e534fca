/** What a connection may be. */
export const connectionKinds = ['api-key', 'bearer', 'basic', 'oauth2', 'database', 'smtp', 'imap', 's3', 'mutual-tls'] as const

/** The kinds that are for requests over HTTP. */
export const httpConnectionKinds = [
  'api-key',
  'bearer',
  'basic',
  'oauth2',
  'mutual-tls',
] as const satisfies readonly (typeof connectionKinds)[number][]
