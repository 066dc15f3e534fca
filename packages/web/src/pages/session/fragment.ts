/** A member of the fragment of the address, which no server sees. */
export function fragment(name: string): string {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? ''
}

/** A path of this installation to continue at; the home page for anything else. */
export function localPath(to: string | undefined): string {
  return to !== undefined && to.startsWith('/') && !to.startsWith('//') ? to : '/'
}
