import type { ModelRole, ModelTexts } from '@millrace/contract'
import { noLimits, type SpendingLimits } from '#modules/models/limits/spending-limits.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'

/** When the models of the installation are used; the contract describes the choices. */
export type InstallationModels = 'fallback' | 'missing' | 'never'

export interface ModelSettings {
  readonly installationModels: InstallationModels
  /** What is kept of prompts and answers; undefined: what the operator has configured. */
  readonly texts: ModelTexts | undefined
  /** What models may cost, with the currency of their prices. */
  readonly limits: SpendingLimits
}

export const modelSettingsDefault: ModelSettings = { installationModels: 'missing', texts: undefined, limits: noLimits }

/** A model that an account connected, without its key. */
export interface AccountModel {
  readonly id: string
  readonly name: string
  readonly kind: ModelEndpoint['kind']
  readonly url: string
  readonly model: string
  readonly roles: readonly ModelRole[]
  readonly prices: { readonly input: number; readonly output: number } | undefined
  readonly region: string | undefined
  readonly maxOutputTokens: number
  readonly structured: boolean
  readonly hasKey: boolean
  readonly state: 'ready' | 'failed' | 'unauthorized'
  readonly problem: string | undefined
  readonly testedAt: Date
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a request decides about a model. */
export type AccountModelValues = Pick<
  AccountModel,
  'name' | 'kind' | 'url' | 'model' | 'roles' | 'prices' | 'region' | 'maxOutputTokens' | 'structured'
>

/** What a test found. */
export type AccountModelTest = Pick<AccountModel, 'state' | 'problem'>

/** Models of one account. */
export const accountModelsMax = 50

const fixed = { timeoutMs: 120_000, retries: 2 } as const

/** The model as requests use it. Its name differs from those of the models of the installation. */
export function endpointOf(values: AccountModelValues, key: ModelEndpoint['key']): ModelEndpoint {
  const { name, kind, url, model, roles, prices, region, maxOutputTokens, structured } = values
  const base = url.replace(/\/+$/, '')
  return {
    ...fixed,
    name: `account:${name}`,
    kind,
    url: base,
    model,
    key,
    roles,
    prices,
    maxOutputTokens,
    structured,
    owner: 'account',
    region,
  }
}
