import type { ModelTexts } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { SpendingLimits } from '#modules/models/limits/spending-limits.ts'
import type { Rows } from '#platform/db/rows.ts'
import { type ModelSettings, modelSettingsDefault } from './account-model.ts'
import type { Authorship } from './account-model-store.ts'

type Executor = Kysely<Rows>

interface SettingsRow {
  readonly installation_models: ModelSettings['installationModels']
  readonly texts: ModelTexts | null
  readonly month_cost_micros: string | null
  readonly month_tokens: string | null
  readonly day_cost_micros: string | null
  readonly day_tokens: string | null
  readonly warn_percent: number
  readonly currency: string | null
}

export async function readModelSettings(tx: Executor, accountId: string): Promise<ModelSettings> {
  const { rows } = await sql<SettingsRow>`
    select installation_models, texts, month_cost_micros::text, month_tokens::text, day_cost_micros::text, day_tokens::text, warn_percent, currency
    from account_model_settings where account_id = ${accountId}`.execute(tx)
  const [row] = rows
  if (row === undefined) return modelSettingsDefault
  const amount = (text: string | null) => (text === null ? undefined : Number(text))
  return {
    installationModels: row.installation_models,
    texts: row.texts ?? undefined,
    limits: {
      month: { costMicros: amount(row.month_cost_micros), tokens: amount(row.month_tokens) },
      day: { costMicros: amount(row.day_cost_micros), tokens: amount(row.day_tokens) },
      warnPercent: row.warn_percent,
      currency: row.currency ?? undefined,
    },
  }
}

/** Writes the settings without the limits. */
export async function writeModelSettings(
  tx: Executor,
  accountId: string,
  { installationModels, texts, limits: { currency } }: ModelSettings,
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    insert into account_model_settings (account_id, installation_models, texts, currency, updated_at, updated_by)
    values (${accountId}, ${installationModels}, ${texts ?? null}, ${currency ?? null}, ${at}, ${by})
    on conflict (account_id) do update set installation_models = excluded.installation_models, texts = excluded.texts,
      currency = excluded.currency, updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(tx)
}

/** Writes the limits alone. */
export async function writeModelLimits(
  tx: Executor,
  accountId: string,
  { month, day, warnPercent }: Omit<SpendingLimits, 'currency'>,
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    insert into account_model_settings (account_id, installation_models, month_cost_micros, month_tokens, day_cost_micros, day_tokens, warn_percent,
      updated_at, updated_by)
    values (${accountId}, ${modelSettingsDefault.installationModels}, ${month.costMicros ?? null}, ${month.tokens ?? null},
      ${day.costMicros ?? null}, ${day.tokens ?? null}, ${warnPercent}, ${at}, ${by})
    on conflict (account_id) do update set month_cost_micros = excluded.month_cost_micros, month_tokens = excluded.month_tokens,
      day_cost_micros = excluded.day_cost_micros, day_tokens = excluded.day_tokens, warn_percent = excluded.warn_percent,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(tx)
}
