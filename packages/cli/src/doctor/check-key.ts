import { join } from 'node:path'
import { type Config, findSecretKey, readKeyState } from '@millrace/server'
import { messageOf } from '#command/failure.ts'
import { fail, type Finding, ok } from './check.ts'

const name = 'Secret key'
const remedy = 'Copy secret.key of the installation into MILLRACE_HOME, or set MILLRACE_SECRET_KEY.'

/** Whether the key of the configuration is the one under which the database is sealed: a server refuses to start with another one. */
export async function checkKey(url: string, { home, secretKey }: Pick<Config, 'home' | 'secretKey'>): Promise<Finding> {
  try {
    const key = secretKey?.reveal() ?? (await findSecretKey(home))
    const state = await readKeyState(url, key)
    if (state === 'unrecorded') return ok(name, `will be ${key === undefined ? 'made' : 'recorded'} at the first start.`)
    if (key === undefined) return fail(name, `${join(home, 'secret.key')} is missing, and the database is sealed under a key.`, remedy)
    return state === 'same' ? ok(name, 'the database is sealed under it.') : fail(name, 'the database is sealed under another one.', remedy)
  } catch (error) {
    return fail(name, messageOf(error), remedy)
  }
}
