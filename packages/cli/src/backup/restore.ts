import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError, restoreInstallation } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, unreadable } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { withDatabase } from '#command/with-database.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface RestoreRequest {
  readonly file: string
  readonly home: string | undefined
}

/** Reads a backup into an empty database. */
export async function restore({ file, home }: RestoreRequest, { stderr }: Terminal): Promise<ExitCode> {
  const config = readConfiguration({ home })
  const source = await open(file).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const { rows, tables, createdAt } = await withDatabase(config, ({ url }) => restoreInstallation(url, source.createReadStream()))
    stderr.write(`Restored ${rows} rows of ${tables} tables, as they were at ${createdAt}.\n`)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(error instanceof BackupError ? error.message : `The backup could not be restored: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    await source.close().catch(() => undefined)
  }
  const hasKey = config.secretKey !== undefined || (await stat(join(config.home, 'secret.key')).catch(() => undefined)) !== undefined
  if (!hasKey) stderr.write(`Copy the secret key of the installation to ${join(config.home, 'secret.key')} before you start the server.\n`)
  return exitCodes.ok
}
