/** A member of the fragment of the address, which no server sees. */
export function fragment(name: string): string {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? ''
}

/** A path of this installation to continue at; the home page for anything else. */
export function localPath(to: string | undefined): string {
  // Browsers read a backslash as a slash and skip tabs and line ends, so that the text alone does not say where it leads.
  const here = 'http://here'
  return to !== undefined && to.startsWith('/') && URL.parse(to, here)?.origin === here ? to : '/'
}

/** An address of the sign-in that returns to this page. The fragment stays a fragment: no server sees its token. */
export function signInAndReturn(): string {
  return `/sign-in?to=${encodeURIComponent(location.pathname)}${location.hash}`
}

/** Where a sign-in continues: the path that its address names, with the fragment of its address, which belongs to that page. */
export function continueAt({ search, hash }: Pick<Location, 'search' | 'hash'> = location): string {
  return `${localPath(new URLSearchParams(search).get('to') ?? undefined)}${hash}`
}

const key = 'millrace.fragment'

/** Keeps the fragment of this page in this tab while a sign-in with a provider leaves the installation. */
export function keepFragment(): void {
  if (location.hash === '') sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, location.hash)
}

/** The fragment that was kept, once. */
export function takeFragment(): string {
  const kept = sessionStorage.getItem(key) ?? ''
  sessionStorage.removeItem(key)
  return kept
}
