import { Fault } from '@millrace/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Executor } from './store.ts'

/** Who may become a user: everyone, invited people only, or no one. */
export type RegistrationMode = 'open' | 'invite' | 'closed'
/** `until_operator`: open until the installation has an operator, then for invited people only. */
export type RegistrationRule = RegistrationMode | 'until_operator'

/** Decides who may register an account or join one. */
export interface RegistrationGate {
  /** @param tx the open transaction of the caller: one that waited for a second connection could wait for others that do the same. */
  mode(tx?: Executor): Promise<RegistrationMode>
  /** Whether anyone has registered. */
  hasUsers(): Promise<boolean>
  /** Throws a Fault unless everyone may register an account. */
  assertOpen(): Promise<void>
  /** Throws a Fault where no further user may join an account either. */
  assertJoinable(): Promise<void>
}

/** @param db the system pool: operators belong to any account. */
export function createRegistrationGate({ db, rule }: { readonly db: Executor; readonly rule: RegistrationRule }): RegistrationGate {
  // An installation does not lose its operator in normal use, so a positive answer is kept.
  let operated = false
  let used = false
  const mode = async (executor = db): Promise<RegistrationMode> => {
    if (rule !== 'until_operator') return rule
    operated ||= await hasOperator(executor)
    return operated ? 'invite' : 'open'
  }
  return {
    mode,
    async hasUsers() {
      used ||= await exists(db, sql`select from users limit 1`)
      return used
    },
    async assertOpen() {
      const found = await mode()
      if (found !== 'open') throw new Fault('forbidden', { detail: refusals[found] })
    },
    async assertJoinable() {
      if ((await mode()) === 'closed') throw new Fault('forbidden', { detail: refusals.closed })
    },
  }
}

const refusals = {
  invite:
    'Only invited people can register here. Ask an administrator of your account for an invitation. The operator of a new installation registers with `operatorCode`; `MILLRACE_REGISTRATION=open` opens registration.',
  closed: 'Registration is closed. Ask the operator of this installation, who opens it with `MILLRACE_REGISTRATION=invite` or `open`.',
} as const

/** Whether the installation has an operator. */
export async function hasOperator(executor: Executor): Promise<boolean> {
  return exists(executor, sql`select from users where is_operator limit 1`)
}

async function exists(executor: Executor, query: RawBuilder<unknown>): Promise<boolean> {
  return (await query.execute(executor)).rows.length === 1
}
