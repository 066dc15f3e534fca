import { rememberPreference, type Theme } from '#src/boot.ts'

/** Changes between light and dark, from what is seen now. */
export function switchTheme(): void {
  const root = document.documentElement
  const dark = root.dataset['theme'] === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : root.dataset['theme'] === 'dark'
  const next: Theme = dark ? 'light' : 'dark'
  root.dataset['theme'] = next
  rememberPreference('theme', next)
}
