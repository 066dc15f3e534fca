import type { ModelRole } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { AccountModel, AccountModelTest, AccountModelValues } from './account-model.ts'

type Executor = Kysely<Rows>

interface AccountModelRow {
  readonly id: string
  readonly name: string
  readonly kind: AccountModel['kind']
  readonly url: string
  readonly model: string
  readonly roles: ModelRole[]
  readonly price_input: number | null
  readonly price_output: number | null
  readonly region: string | null
  readonly max_output_tokens: number
  readonly structured: boolean
  readonly sealed: Buffer | null
  readonly state: AccountModel['state']
  readonly problem: string | null
  readonly tested_at: Date
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A model with its key as it is stored. */
export interface SealedModel {
  readonly model: AccountModel
  readonly sealed: Buffer | undefined
}

/** The time and author of a change, the author as `kind:id`. */
export interface Authorship {
  readonly at: Date
  readonly by: string
}

export const accountModelNameConstraint = 'account_models_name_unique'

const columns = sql`id, name, kind, url, model, roles, price_input, price_output, region, max_output_tokens, structured, sealed, state, problem,
  tested_at, revision, created_at, updated_at`

/** Counts the models of an account, one request at a time. */
export async function countAccountModels(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace account models'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from account_models where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** All models of an account in the order in which they are tried: the oldest first. */
export async function listAccountModels(tx: Executor, accountId: string): Promise<readonly SealedModel[]> {
  const { rows } = await sql<AccountModelRow>`select ${columns} from account_models where account_id = ${accountId} order by id`.execute(tx)
  return rows.map(sealedModelOf)
}

/** @param lock until the transaction ends. */
export async function findAccountModel(
  tx: Executor,
  accountId: string,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<SealedModel | undefined> {
  const { rows } = await sql<AccountModelRow>`
    select ${columns} from account_models where account_id = ${accountId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx)
  return rows[0] === undefined ? undefined : sealedModelOf(rows[0])
}

/** The parts of a model that a request writes. */
export interface WrittenModel {
  readonly id: string
  readonly values: AccountModelValues
  readonly sealed: Buffer | undefined
}

export async function insertAccountModel(
  tx: Executor,
  accountId: string,
  { id, values, sealed }: WrittenModel,
  { state, problem }: AccountModelTest,
  { at, by }: Authorship,
): Promise<void> {
  const { name, kind, url, model, roles, prices, region, maxOutputTokens, structured } = values
  await sql`
    insert into account_models (id, account_id, name, kind, url, model, roles, price_input, price_output, region, max_output_tokens, structured,
      sealed, state, problem, tested_at, created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${name}, ${kind}, ${url}, ${model}, ${[...roles]}, ${prices?.input ?? null}, ${prices?.output ?? null},
      ${region ?? null}, ${maxOutputTokens}, ${structured}, ${sealed ?? null}, ${state}, ${problem ?? null}, ${at}, ${at}, ${by}, ${at}, ${by})`.execute(
    tx,
  )
}

export async function updateAccountModel(
  tx: Executor,
  accountId: string,
  { id, values, sealed }: WrittenModel,
  tested: AccountModelTest | undefined,
  { at, by }: Authorship,
): Promise<void> {
  const { name, kind, url, model, roles, prices, region, maxOutputTokens, structured } = values
  await sql`
    update account_models set name = ${name}, kind = ${kind}, url = ${url}, model = ${model}, roles = ${[...roles]},
      price_input = ${prices?.input ?? null}, price_output = ${prices?.output ?? null}, region = ${region ?? null},
      max_output_tokens = ${maxOutputTokens}, structured = ${structured}, sealed = ${sealed ?? null}, revision = revision + 1,
      updated_at = ${at}, updated_by = ${by}
      ${tested === undefined ? sql`` : sql`, state = ${tested.state}, problem = ${tested.problem ?? null}, tested_at = ${at}`}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function updateTestOfModel(
  tx: Executor,
  accountId: string,
  id: string,
  { state, problem }: AccountModelTest,
  testedAt: Date,
): Promise<void> {
  await sql`
    update account_models set state = ${state}, problem = ${problem ?? null}, tested_at = ${testedAt}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function deleteAccountModel(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from account_models where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function deleteAccountModelsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from account_models where account_id = ${accountId}`.execute(executor)
  await sql`delete from account_model_settings where account_id = ${accountId}`.execute(executor)
}

function sealedModelOf(row: AccountModelRow): SealedModel {
  const { id, name, kind, url, model, roles, structured, state, revision, sealed } = row
  const prices = row.price_input === null || row.price_output === null ? undefined : { input: row.price_input, output: row.price_output }
  return {
    sealed: sealed ?? undefined,
    model: {
      id,
      name,
      kind,
      url,
      model,
      roles,
      prices,
      region: row.region ?? undefined,
      maxOutputTokens: row.max_output_tokens,
      structured,
      hasKey: sealed !== null,
      state,
      problem: row.problem ?? undefined,
      testedAt: row.tested_at,
      revision,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }
}
