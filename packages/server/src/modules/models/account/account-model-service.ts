import { Fault, type ModelTexts, unservedRole } from '@millrace/contract'
import type { Changed } from '#platform/changed.ts'
import { isTaken } from '#platform/db/is-taken.ts'
import type { Tx } from '#platform/http/index.ts'
import { NetError } from '#platform/net/net-error.ts'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import {
  type AccountModel,
  accountModelsMax,
  type AccountModelTest,
  type AccountModelValues,
  endpointOf,
  type InstallationModels,
} from './account-model.ts'
import {
  accountModelNameConstraint,
  countAccountModels,
  deleteAccountModel,
  findAccountModel,
  insertAccountModel,
  listAccountModels,
  type SealedModel,
  updateAccountModel,
  updateTestOfModel,
} from './account-model-store.ts'
import { keyOf, placeOfKey } from './account-endpoints.ts'
import { readModelSettings, writeModelSettings } from './model-settings-store.ts'
import { testEndpoint } from './test-endpoint.ts'

export interface AccountModelsDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  readonly sealing: Pick<Sealing, 'seal' | 'open'>
  /** What is kept of the texts of accounts that have not chosen. */
  readonly texts: ModelTexts
  /** Resolves the hosts that accounts may name. */
  readonly address: GuardedAddress
  /** Reaches those hosts alone. */
  readonly web: WebFetch
  /** A transaction of its own, bound to the account. */
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Members that are `undefined` stay; a key of `null` is removed. */
export type AccountModelChange = { readonly [K in keyof AccountModelValues]: AccountModelValues[K] | undefined } & {
  readonly key: string | null | undefined
  /** Whether `prices` and `region` are given: for them `undefined` is a value. */
  readonly given: ReadonlySet<'prices' | 'region'>
}

/** What was found of a stored model outside of the transaction that records it. */
export interface Prepared<T> {
  /** At which the model was read; the transaction refuses another one. */
  readonly revision: number
  readonly test: T
}

export interface ModelUpdate {
  readonly id: string
  readonly change: AccountModelChange
  /** Of `prepareUpdate` for the same change. */
  readonly prepared: Prepared<AccountModelTest | undefined>
  /** As `kind:id`. */
  readonly actor: string
  readonly ifMatch: readonly number[] | undefined
}

export interface SettingsChange {
  readonly installationModels: InstallationModels
  readonly texts: ModelTexts | null | undefined
  readonly currency: string | null | undefined
}

/** The settings of an account with the choice of the operator where it has none. */
export interface EffectiveSettings {
  readonly installationModels: InstallationModels
  readonly texts: ModelTexts
  /** Of the prices; null if the account does not say. */
  readonly currency: string | null
}

export type AccountModels = ReturnType<typeof createAccountModels>

/** Manages the models that an account connects with its own keys. */
export function createAccountModels(deps: AccountModelsDeps) {
  const { now, newId, sealing, web } = deps
  async function effectiveSettings(tx: Tx, accountId: string): Promise<EffectiveSettings> {
    const { installationModels, texts = deps.texts, limits } = await readModelSettings(tx, accountId)
    return { installationModels, texts, currency: limits.currency ?? null }
  }

  const authorship = (by: string) => ({ at: new Date(now()), by })
  const seal = async (tx: Tx, accountId: string, id: string, key: string | null | undefined) =>
    key === undefined || key === null ? undefined : sealing.seal(tx, accountId, placeOfKey(id), Buffer.from(key))

  /** Fault `request_invalid` for an address that may not be reached. */
  async function tested(values: AccountModelValues, key: { reveal(): string } | undefined): Promise<AccountModelTest> {
    await assertReachable(values.url, deps.address)
    return testEndpoint(endpointOf(values, key), web)
  }

  /** A stored model with its key. */
  const withKey = (accountId: string, id: string) =>
    deps.transaction(accountId, async (tx) => {
      const { model, sealed } = await find(tx, accountId, id)
      const plain = sealed === undefined ? undefined : await sealing.open(tx, accountId, placeOfKey(id), sealed)
      return { model, key: sealed === undefined ? undefined : keyOf(model.name, plain) }
    })

  return {
    list: async (tx: Tx, accountId: string): Promise<readonly AccountModel[]> =>
      (await listAccountModels(tx, accountId)).map(({ model }) => model),
    get: async (tx: Tx, accountId: string, id: string): Promise<AccountModel> => (await find(tx, accountId, id)).model,

    /** Tests a new model; call it before the transaction of `create`. Fault `request_invalid` for roles that its kind does not serve. */
    async prepareCreate(values: AccountModelValues, key: string | undefined): Promise<AccountModelTest> {
      assertServedRoles(values)
      return tested(values, key === undefined ? undefined : { reveal: () => key })
    },

    async create(
      tx: Tx,
      accountId: string,
      { values, key }: { readonly values: AccountModelValues; readonly key: string | undefined },
      test: AccountModelTest,
      actor: string,
    ): Promise<AccountModel> {
      if ((await countAccountModels(tx, accountId)) >= accountModelsMax)
        throw new Fault('conflict', { detail: `Limit of models reached (${accountModelsMax}). Delete one that is not needed.` })
      const id = newId()
      const written = { id, values, sealed: await seal(tx, accountId, id, key) }
      await refusingTakenNames(values.name, () => insertAccountModel(tx, accountId, written, test, authorship(actor)))
      return (await find(tx, accountId, id)).model
    },

    /** Tests what is changed; call it before the transaction of `update`. No test: the endpoint, its key and the model stay. */
    async prepareUpdate(accountId: string, id: string, change: AccountModelChange): Promise<Prepared<AccountModelTest | undefined>> {
      const { model, key: kept } = await withKey(accountId, id)
      const { revision } = model
      const values = changed(model, change)
      assertServedRoles(values)
      const isMoved = values.url !== model.url || values.kind !== model.kind
      if (isMoved && model.hasKey && change.key === undefined)
        throw new Fault('request_invalid', {
          errors: [{ pointer: '/key', detail: 'Is required with another url or kind, so that the kept key is not sent to another place.' }],
        })
      if (!isMoved && change.key === undefined)
        return { revision, test: values.model === model.model ? undefined : await tested(values, kept) }
      const key = change.key ?? undefined
      return { revision, test: await tested(values, key === undefined ? undefined : { reveal: () => key }) }
    },

    /** Fault `revision_mismatch` if the model was changed since `prepareUpdate`, which may have judged another URL and another key. */
    async update(
      tx: Tx,
      accountId: string,
      { id, change, prepared: { revision, test }, actor, ifMatch }: ModelUpdate,
    ): Promise<Changed<AccountModel>> {
      const before = await lock(tx, accountId, id, ifMatch)
      assertRevision('model', before.model.revision, [revision])
      const values = changed(before.model, change)
      const sealed = change.key === undefined ? before.sealed : await seal(tx, accountId, id, change.key)
      const written = { id, values, sealed }
      await refusingTakenNames(values.name, () => updateAccountModel(tx, accountId, written, test, authorship(actor)))
      return { before: before.model, after: (await find(tx, accountId, id)).model }
    },

    async remove(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<AccountModel> {
      const { model } = await lock(tx, accountId, id, ifMatch)
      await deleteAccountModel(tx, accountId, id)
      return model
    },

    /** Tests a stored model; call it before the transaction of `recordTest`. */
    async prepareTest(accountId: string, id: string): Promise<Prepared<AccountModelTest>> {
      const { model, key } = await withKey(accountId, id)
      return { revision: model.revision, test: await testEndpoint(endpointOf(model, key), web) }
    },

    /** Fault `revision_mismatch` if the model was changed since `prepareTest`. */
    async recordTest(tx: Tx, accountId: string, id: string, { revision, test }: Prepared<AccountModelTest>): Promise<AccountModel> {
      await lock(tx, accountId, id, [revision])
      await updateTestOfModel(tx, accountId, id, test, new Date(now()))
      return (await find(tx, accountId, id)).model
    },

    settings: effectiveSettings,

    /** Members that are `undefined` stay; texts of `null` return to the choice of the operator, and a currency of `null` is removed. */
    async setSettings(tx: Tx, accountId: string, { installationModels, texts, currency }: SettingsChange, actor: string) {
      const stored = await readModelSettings(tx, accountId)
      const limits = currency === undefined ? stored.limits : { ...stored.limits, currency: currency ?? undefined }
      const written = { installationModels, texts: texts === undefined ? stored.texts : (texts ?? undefined), limits }
      await writeModelSettings(tx, accountId, written, authorship(actor))
      return effectiveSettings(tx, accountId)
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<SealedModel> {
  return existing(await findAccountModel(tx, accountId, id))
}

/** @param ifMatch the revisions at which the model may be changed; undefined for any. */
async function lock(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<SealedModel> {
  const found = existing(await findAccountModel(tx, accountId, id, { lock: true }))
  assertRevision('model', found.model.revision, ifMatch)
  return found
}

function existing(found: SealedModel | undefined): SealedModel {
  if (found === undefined) throw new Fault('not_found', { detail: 'The account has no such model.' })
  return found
}

function changed(model: AccountModel, change: AccountModelChange): AccountModelValues {
  return {
    name: change.name ?? model.name,
    kind: change.kind ?? model.kind,
    url: change.url ?? model.url,
    model: change.model ?? model.model,
    roles: change.roles ?? model.roles,
    prices: change.given.has('prices') ? change.prices : model.prices,
    region: change.given.has('region') ? change.region : model.region,
    maxOutputTokens: change.maxOutputTokens ?? model.maxOutputTokens,
    structured: change.structured ?? model.structured,
  }
}

async function assertReachable(text: string, address: GuardedAddress): Promise<void> {
  const { hostname, username, password } = new URL(text)
  // An empty query would take up the paths that are appended.
  if (username + password !== '' || /[?#]/.test(text)) throw invalidUrl('Must not contain a user name, password, query or fragment.')
  try {
    await address(hostname.replaceAll(/^\[|\]$/g, ''))
  } catch (error) {
    if (!(error instanceof NetError)) throw error
    throw invalidUrl(`Cannot be used: ${error.message}.`)
  }
}

function assertServedRoles({ kind, roles }: AccountModelValues): void {
  const place = unservedRole(kind, roles)
  if (place === -1) return
  const detail = `The API of Anthropic serves no role "${roles[place]}". Choose another role, or a model with the protocol of OpenAI.`
  throw new Fault('request_invalid', { errors: [{ pointer: `/roles/${place}`, detail }] })
}

const invalidUrl = (detail: string) => new Fault('request_invalid', { errors: [{ pointer: '/url', detail }] })

async function refusingTakenNames(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    if (!isTaken(cause, accountModelNameConstraint)) throw cause
    throw new Fault('conflict', { detail: `The account has a model with the name ${name} already.`, cause })
  }
}
