import type { Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'

/**
 * The supported protocol versions, newest first. In all of them `initialize` opens a session.
 * Source: https://modelcontextprotocol.io/specification/versioning
 */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** Source: DSL reference, MCP Call. */
const defaultVersion = '2025-06-18'

/** The version to offer to the server; throws a validation error for an unsupported one. */
export function protocolVersion(argument: Json | undefined): string {
  if (argument === undefined || argument === null) return defaultVersion
  const version = protocolVersions.find((name) => name === argument)
  if (version !== undefined) return version
  throw invalidArgument(`"protocolVersion" is ${JSON.stringify(argument)}; the versions spoken here are ${protocolVersions.join(', ')}.`)
}

/** The requested version, then those that the server may choose instead. */
export function acceptableVersions(asked: string): string[] {
  return [asked, ...protocolVersions.filter((version) => version !== asked)]
}
