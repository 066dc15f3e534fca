/** Currencies that have not two digits behind the point (ISO 4217). */
const digits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map(
      (currency) => [currency, 0] as const,
    ),
  ),
  ...Object.fromEntries(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency) => [currency, 3] as const)),
  CLF: 4,
  UYW: 4,
}

/**
 * The digits behind the point of a currency: those of its minor unit in ISO 4217. `Intl` has those that people usually write instead, such as none for HUF, which
 * would make another amount of one in minor units.
 */
export function currencyDigits(currency: string): number {
  return digits[currency] ?? 2
}
