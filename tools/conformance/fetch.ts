import { createHash } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files of one public repository. */
export interface Source {
  /** `owner/name` at GitHub. */
  readonly repository: string
  readonly license: string
  readonly branch: string
  /** The files are those of the last commit of the branch up to this time; their digests are what counts. */
  readonly until: string
  readonly files: readonly { readonly from: string; readonly to: string; readonly sha256: string }[]
}

/** The hosts of GitHub. */
export interface Hosts {
  readonly api: string
  readonly raw: string
}

export const github: Hosts = { api: 'https://api.github.com', raw: 'https://raw.githubusercontent.com' }

const timeoutMs = 60_000
const together = 8

/**
 * Downloads every file and checks its digest, and then replaces the contents of the folder.
 * @throws Error that names a URL that failed or has the wrong digest
 */
export async function fetchConformance(sources: readonly Source[], folder: string, hosts: Hosts = github): Promise<number> {
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  try {
    for (const source of sources) await fetchSource(source, partial, hosts)
    await rm(folder, { recursive: true, force: true })
    await rename(partial, folder)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return sources.reduce((sum, { files }) => sum + files.length, 0)
}

async function fetchSource(source: Source, folder: string, hosts: Hosts): Promise<void> {
  const commit = await commitOf(source, hosts.api)
  const queue = source.files.values()
  const work = async () => {
    for (const { from, to, sha256 } of queue) {
      const url = `${hosts.raw}/${source.repository}/${commit}/${from}`
      const bytes = new Uint8Array(await (await get(url)).arrayBuffer())
      const digest = createHash('sha256').update(bytes).digest('hex')
      if (digest !== sha256) throw new Error(`${url} has the SHA-256 ${digest}, and should have ${sha256}.`)
      await mkdir(dirname(join(folder, to)), { recursive: true })
      await writeFile(join(folder, to), bytes)
    }
  }
  // Wait for the end of all downloads before the clean-up.
  const ended = await Promise.allSettled(Array.from({ length: together }, work))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

async function commitOf({ repository, branch, until }: Source, api: string): Promise<string> {
  const url = `${api}/repos/${repository}/commits?sha=${branch}&until=${until}&per_page=1`
  const commits: unknown = await (await get(url)).json()
  const sha: unknown = Array.isArray(commits) ? Object(commits[0]).sha : undefined
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha)) throw new Error(`${url} names no commit.`)
  return sha
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((cause: unknown) => {
    throw new Error(`${url} cannot be reached.`, { cause })
  })
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`)
  return response
}
