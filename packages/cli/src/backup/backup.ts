import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { backupInstallation } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { withPresentDatabase } from '#command/with-database.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface BackupRequest {
  readonly file: string
  readonly home: string | undefined
  readonly quiet: boolean
}

/** Writes a backup under another name first, so that a file of the given name is always complete. */
export async function backup(request: BackupRequest, { stderr }: Terminal): Promise<ExitCode> {
  const { file, quiet } = request
  if ((await stat(file).catch(() => undefined)) !== undefined)
    throw new Failure(`${file} exists already.`, { hint: 'Name another file, or delete it first.' })
  const config = readConfiguration({ home: request.home })
  const draft = `${file}.part`
  try {
    const summary = await withPresentDatabase(config, ({ url }) =>
      backupInstallation({ url }, createWriteStream(draft, { mode: 0o600, flush: true })),
    )
    await rename(draft, file)
    const { size } = await stat(file)
    if (!quiet) stderr.write(`${file}: ${summary.rows} rows of ${summary.tables} tables, ${size} bytes. The secret key is not in it.\n`)
    return exitCodes.ok
  } catch (error) {
    await rm(draft, { force: true })
    throw error instanceof Failure
      ? error
      : new Failure(`The backup could not be written: ${messageOf(error)}`, {
          hint: '"millrace doctor" checks the installation.',
          cause: error,
        })
  }
}
