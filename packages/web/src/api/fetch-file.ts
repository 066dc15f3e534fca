import { ClientError } from '@millrace/client'
import type { Problem } from '@millrace/contract'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

/** Fetches a file of the API. Throws for a problem, and when the file breaks off. @param operation which has the path. */
export async function fetchFile(operation: string, path: string, accept = '*/*'): Promise<Blob> {
  const response = await sessionFetch(path, { headers: { accept, authorization: `Bearer ${(await accessToken()) ?? ''}` } })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types the failures of every operation.
  if (!response.ok) throw new ClientError(operation, (await response.json()) as Problem, undefined)
  return response.blob()
}
