import type { Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'

/**
 * The versions of the protocol that are spoken, newest first, all with a session that `initialize` opens.
 * Source: https://modelcontextprotocol.io/specification/versioning
 */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

/** Source: DSL reference, MCP Call. */
const defaultVersion = '2025-06-18'

/** The version to offer to the server; throws a validation error for one that is not spoken. */
export function protocolVersion(argument: Json | undefined): string {
  if (argument === undefined || argument === null) return defaultVersion
  const version = protocolVersions.find((name) => name === argument)
  if (version !== undefined) return version
  throw invalidArgument(`"protocolVersion" is ${JSON.stringify(argument)}; the versions spoken here are ${protocolVersions.join(', ')}.`)
}

/** The version asked for, then those that the server may answer with instead. */
export function acceptableVersions(asked: string): string[] {
  return [asked, ...protocolVersions.filter((version) => version !== asked)]
}
