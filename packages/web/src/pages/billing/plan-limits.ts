import { m } from '#src/messages/messages.ts'
import { bytes, number } from '#src/values/format.ts'

export type Limits = Readonly<Record<string, { readonly soft: number | null; readonly hard: number | null } | undefined>>

/** How much of a meter a plan includes; null for no limit. */
export function mostOf(limits: Limits, meter: string): number | null {
  return limits[meter]?.soft ?? limits[meter]?.hard ?? null
}

export function limitWord(limits: Limits, meter: string): string {
  const most = mostOf(limits, meter)
  if (most === null) return m.billing.noLimit
  return meter === 'storage_bytes' ? bytes(most) : number(most)
}

/** The limits of a plan in words. */
export function limitsOf(limits: Limits): readonly string[] {
  const words: Readonly<Record<string, string>> = m.plan.meters
  const said = Object.keys(limits).flatMap((meter) =>
    mostOf(limits, meter) === null ? [] : [`${words[meter] ?? meter}: ${limitWord(limits, meter)}`],
  )
  return said.length === 0 ? [m.billing.unlimited] : said
}
