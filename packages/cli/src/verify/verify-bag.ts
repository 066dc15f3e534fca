import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '#command/failure.ts'
import type { PackFiles } from './pack-files.ts'

export interface PackFinding {
  readonly file: string
  readonly detail: string
}

const payloadManifest = 'manifest-sha256.txt'
const tagManifest = 'tagmanifest-sha256.txt'

/** What is not as the bag states. Source: RFC 8493, section 3. */
export async function bagFindings(files: PackFiles): Promise<readonly PackFinding[]> {
  const findings: PackFinding[] = []
  const find = (file: string, detail: string) => void findings.push({ file, detail })
  const declared = await textOf(files, 'bagit.txt').catch(() => '')
  if (!declared.startsWith('BagIt-Version: 1.0\n')) find('bagit.txt', 'does not declare a bag of version 1.0')
  const listed = new Set([tagManifest])
  for (const manifest of [payloadManifest, tagManifest]) {
    const text = await textOf(files, manifest).catch(() => undefined)
    if (text === undefined) find(manifest, 'cannot be read')
    for (const line of text?.split('\n').filter((one) => one !== '') ?? []) {
      const [, digest = '', name = ''] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
      const problem = name === '' ? 'has a line that is not a digest with a path' : await digestProblem(files, name, digest)
      if (problem !== undefined) find(name === '' ? manifest : name, problem)
      listed.add(name)
    }
  }
  for (const name of files.names) if (!listed.has(name)) find(name, 'is not in a manifest')
  return findings
}

async function digestProblem(files: PackFiles, name: string, digest: string): Promise<string | undefined> {
  if (!files.names.has(name)) return 'is missing'
  const hash = createHash('sha256')
  try {
    await pipeline(await files.open(name), hash)
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`
  }
  return hash.digest('hex') === digest ? undefined : 'was changed: its digest is not that of the manifest'
}

export async function textOf(files: PackFiles, name: string): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of await files.open(name)) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
