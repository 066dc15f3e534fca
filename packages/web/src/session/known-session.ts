/** Whether this browser has signed in. The session itself is in a cookie that no script can read; without this hint every visitor would ask for it. */
const key = 'millrace.session'

export const knownSession = {
  exists: (): boolean => localStorage.getItem(key) !== null,
  begin: (): void => localStorage.setItem(key, '1'),
  end: (): void => localStorage.removeItem(key),
} as const
