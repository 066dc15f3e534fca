import type { AnyOperation } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Call } from '#laws/calls.ts'
import type { RegisteredUser } from '#laws/registered-user.ts'
import type { Rows } from '#platform/db/rows.ts'

/** Calls an operation, keeps its response for the laws, and returns the body. */
export type Perform = (op: AnyOperation, parts: Call) => Promise<unknown>

/** What an area needs to call its operations with success. */
export interface AreaFixture {
  readonly url: string
  readonly perform: Perform
  /** Of an owner whose account is empty. */
  readonly token: string
  /** Of an operator of the installation. */
  readonly operatorToken: string
  readonly db: Kysely<Rows>
}

/** The calls by which the laws test the operations of one area. */
export interface LawArea {
  /** Creates one resource of every kind of the area that has an id, and returns the ids by prefix. */
  readonly createResources?: (url: string, user: RegisteredUser, db: Kysely<Rows>) => Promise<Readonly<Record<string, string>>>
  /** Calls every operation of the area once with success. */
  readonly exercise: (fixture: AreaFixture) => Promise<void>
}
