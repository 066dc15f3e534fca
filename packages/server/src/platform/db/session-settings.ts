/**
 * The configuration of connections whose sessions begin with settings of PostgreSQL. Those of the address stay, but ours win: `pg` would otherwise
 * let the address replace them, and with them the role that row-level security needs.
 * @param url of the database; it may have settings of its own in `options`.
 */
export function withSettings(url: string, settings: Readonly<Record<string, string>>) {
  const { connectionString, options } = takeOptions(url)
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return { connectionString, options: [options, ...ours].filter((part) => part !== '').join(' ') }
}

/** Settings of all sessions. Just-in-time compilation takes longer than most statements, whose costs PostgreSQL estimates too high. */
export const commonSettings = { jit: 'off' } as const

function takeOptions(url: string) {
  const parsed = URL.parse(url)
  const options = parsed?.searchParams.get('options') ?? ''
  if (parsed === null || options === '') return { connectionString: url, options: '' }
  parsed.searchParams.delete('options')
  return { connectionString: parsed.href, options }
}
