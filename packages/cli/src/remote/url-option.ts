/** The option that every command for a running server has. */
export const urlOption = {
  url: { type: 'string', value: 'URL', summary: 'Server, instead of MILLRACE_URL or the one of the last login.' },
} as const
