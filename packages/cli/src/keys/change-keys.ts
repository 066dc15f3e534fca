import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { type KeyRotation, openKeys } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf, usageFailure } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { withPresentDatabase } from '#command/with-database.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface KeysRequest {
  readonly action: string
  readonly newKey: string | undefined
  readonly home: string | undefined
}

/** Rotates the root key, replaces the secret key, or ends the replacement. */
export async function changeKeys({ action, newKey, home }: KeysRequest, { stdout }: Terminal): Promise<ExitCode> {
  if (action !== 'rotate' && action !== 'retire')
    throw usageFailure(`${JSON.stringify(action)} is not an action.`, 'Write "millrace keys rotate" or "millrace keys retire".')
  if (action === 'retire' && newKey !== undefined) throw usageFailure('--new-key belongs to "keys rotate".', 'Leave it out.')
  const config = readConfiguration({ home })
  const text = await withPresentDatabase(config, async ({ url }) => {
    const keys = openKeys(config, url)
    try {
      return action === 'rotate' ? await rotate(keys, newKey) : await retire(keys)
    } catch (error) {
      if (error instanceof Failure) throw error
      throw new Failure(messageOf(error), { hint: '"millrace doctor" checks the whole installation.', cause: error })
    } finally {
      await keys.close()
    }
  })
  stdout.write(text)
  return exitCodes.ok
}

async function rotate(keys: KeyRotation, file: string | undefined): Promise<string> {
  if (await keys.isBeingReplaced())
    throw new Failure('The secret key is being replaced: two keys are accepted.', {
      hint: 'Run "millrace keys retire" with the new key first.',
    })
  const { version, accounts, secrets } = await keys.rotate()
  const done = `The keys of ${accounts} accounts are sealed under version ${version} of the root key; ${secrets} older secrets were sealed anew.\n`
  if (file === undefined) return done
  const next = randomBytes(32)
  // The file first: a key that is in use and in no file would be lost.
  await writeFile(file, `${next.toString('base64')}\n`, { flag: 'wx', mode: 0o600 }).catch((cause: unknown) => {
    throw new Failure(`${file} cannot be written: ${messageOf(cause)}`, { hint: 'Name a file that does not exist.', cause })
  })
  await keys.addSecretKey(next)
  return `${done}The old secret key and the new one in ${file} are accepted. Configure the new one, restart the processes, then run "millrace keys retire".\n`
}

async function retire(keys: KeyRotation): Promise<string> {
  return (await keys.retire())
    ? 'Only the configured secret key is accepted now.\n'
    : 'No other secret key than the configured one was accepted; nothing has changed.\n'
}
