import { ClientError } from '@millrace/client'
import type { groups, Problem, Reply } from '@millrace/contract'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

type StoredFile = Reply<(typeof groups)['files']['put']>

/** Uploads a file of the person. The client of the contract sends JSON only; the browser reads the file while it is sent. */
export async function sendFile(file: File, query: Readonly<Record<string, string>>): Promise<StoredFile> {
  const headers = { 'content-type': file.type || 'application/octet-stream', authorization: `Bearer ${(await accessToken()) ?? ''}` }
  const response = await sessionFetch(`/api/v1/files?${new URLSearchParams(query).toString()}`, { method: 'PUT', headers, body: file })
  const body: unknown = await response.json()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types both answers of this operation.
  if (!response.ok) throw new ClientError('files.put', body as Problem, undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As above.
  return body as StoredFile
}
