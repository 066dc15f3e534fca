import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { S3mini } from 's3mini'
import type { S3Credentials } from './s3-server.ts'

/** Whether this machine has Debian's package python3-swift; `.ci/run` installs it. */
export const hasSwift = existsSync('/usr/lib/python3/dist-packages/swift/obj/mem_server.py')

/** Swift of OpenStack with its S3 API and one bucket. It verifies signatures itself. @param credentials with the access key `ACCOUNT:USER`. */
export async function startSwiftServer(name: string, credentials: S3Credentials) {
  const home = await mkdtemp(join(tmpdir(), 'millrace-swift-'))
  const script = fileURLToPath(new URL('swift-server.py', import.meta.url))
  const { region, accessKeyId, secretAccessKey } = credentials
  // The Python of Debian, whatever other one is first in the path.
  const child = spawn('/usr/bin/python3', [script, home, region, accessKeyId, secretAccessKey], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { done, value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (done === true) throw new Error('Swift does not start')
  const url = `http://127.0.0.1:${value}`
  const bucket = new S3mini({ endpoint: `${url}/${name}`, ...credentials })
  await bucket.createBucket()
  return {
    url,
    /** As another program sees it. */
    bucket,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.stdin.end()
      if (child.exitCode === null) await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}
