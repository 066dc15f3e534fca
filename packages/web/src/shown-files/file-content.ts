import { ClientError } from '@millrace/client'
import type { Problem } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

/** Where the content of a file is: at an address that needs the session, or at one that its own token opens. */
export interface FilePlace {
  readonly address: string
  readonly isOpen: boolean
}

/** The content of a file that only a session opens. The client of the contract reads JSON alone. */
export async function contentAt(address: string): Promise<Blob> {
  const response = await sessionFetch(address, { headers: { authorization: `Bearer ${(await accessToken()) ?? ''}` } })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types the answer of an operation that failed.
  if (!response.ok) throw new ClientError('approvals.file', (await response.json()) as Problem, undefined)
  return response.blob()
}

/** The address by which an image element shows a picture; undefined until it is read. */
export function usePicture({ address, isOpen }: FilePlace): { readonly src: string | undefined; readonly isError: boolean } {
  const content = useQuery({
    queryKey: ['file-content', address],
    enabled: !isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    queryFn: () => contentAt(address),
  })
  const blob = content.data
  const [made, setMade] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return undefined
    const url = URL.createObjectURL(blob)
    setMade(url)
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return { src: isOpen ? address : made, isError: content.isError }
}
