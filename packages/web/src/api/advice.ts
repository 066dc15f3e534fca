import type { ClientError } from '@millrace/client'
import { m } from '#src/messages/messages.ts'

/** What to do about an error of the server, by its code, then by its status. */
export function adviceFor({ code, status, retryAfterSeconds }: ClientError): string | undefined {
  const byCode: Readonly<Record<string, string>> = m.advice
  if (code === 'rate_limited') return m.problems.wait(retryAfterSeconds ?? 60)
  if (code !== undefined && byCode[code] !== undefined) return byCode[code]
  if (status === 403) return m.problems.forbidden
  if (status === 404) return m.problems.notFound
  return status >= 500 ? m.problems.server : undefined
}
