/** A number as a person typed it: as the API takes it, or the two that it may mean, or none. */
export type TypedDecimal =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'unclear'; readonly small: string; readonly large: string }
  | { readonly kind: 'none' }

/** Reads a number with a decimal point or comma, with or without separators of thousands, in Latin or Arabic digits. */
export function typedDecimal(typed: string): TypedDecimal {
  const text = latin(typed).replaceAll(/[\s'’٬]/g, '')
  if (/^-?\d+$/.test(text)) return { kind: 'number', text }
  const single = /^(?<whole>-?\d+)[.,](?<decimals>\d{1,6})$/.exec(text)?.groups
  if (single !== undefined) {
    const { whole = '', decimals = '' } = single
    // 1,500 is one and a half for some people, and fifteen hundred for others.
    const isUnclear = decimals.length === 3 && /^-?[1-9]\d{0,2}$/.test(whole)
    const small = `${whole}.${decimals}`
    return isUnclear ? { kind: 'unclear', small: `${small}0`, large: whole + decimals } : { kind: 'number', text: small }
  }
  if (/^-?\d{1,3}(?:,\d{3})+\.\d{1,6}$/.test(text)) return { kind: 'number', text: text.replaceAll(',', '') }
  if (/^-?\d{1,3}(?:\.\d{3})+,\d{1,6}$/.test(text)) return { kind: 'number', text: text.replaceAll('.', '').replace(',', '.') }
  if (/^-?\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/.test(text)) return { kind: 'number', text: text.replaceAll(/[.,]/g, '') }
  return { kind: 'none' }
}

const latin = (text: string) => text.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660)).replaceAll('٫', '.')
