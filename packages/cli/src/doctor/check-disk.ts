import { statfs } from 'node:fs/promises'
import { formatBytes } from '#terminal/bytes.ts'
import { fail, type Finding, ok, warn } from './check.ts'

const name = 'Disk space'

/** Below this PostgreSQL may stop at any moment. */
const bytesMin = 200_000_000
const bytesComfortable = 2_000_000_000

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** Free and total space of the disk under a directory. */
export async function readDiskSpace(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export function checkDisk({ freeBytes, totalBytes }: DiskSpace, directory: string): Finding {
  const text = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free`
  if (freeBytes >= bytesComfortable) return ok(name, `${text}.`)
  const remedy = 'Free some space, or set MILLRACE_HOME to a directory on a larger disk.'
  const message = `Only ${text} under ${directory}.`
  return freeBytes < bytesMin ? fail(name, message, remedy) : warn(name, message, remedy)
}
