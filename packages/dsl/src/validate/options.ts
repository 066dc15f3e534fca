/** Abilities that an installation may lack; a definition that needs one is valid and still cannot be run there. */
export const optionalFeatures = [
  'call.openapi',
  'call.grpc',
  'call.asyncapi',
  'call.a2a',
  'call.mcp.http',
  'call.mcp.stdio',
  'call.function',
  'emit',
  'listen',
  'run.container',
  'run.shell',
  'run.script.js',
  'run.script.python',
  'extensions',
  'schema.resource',
  'schedule',
  'evaluate.loose',
] as const

export type OptionalFeature = (typeof optionalFeatures)[number]

export interface ValidateOptions {
  /** Functions of the default catalog, as `name` or `name:version`; none unless given. */
  readonly functions?: readonly string[]
  /** Secrets that exist; without it every secret that the document lists is taken to exist. */
  readonly secrets?: readonly string[]
  /** What this installation cannot run. */
  readonly unsupported?: readonly OptionalFeature[]
}
