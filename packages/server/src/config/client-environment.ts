/** What the commands for a running server take from the environment. */
export interface ClientEnvironment {
  readonly url: string | undefined
  readonly apiKey: string | undefined
  /** The folder for the settings of programs of this user; undefined for a user without a home. */
  readonly configDirectory: string | undefined
}

/** Reads what the commands for a running server need. In a file of its own, so that they load nothing of the server. */
export function readClientEnvironment(): ClientEnvironment {
  const { MILLRACE_URL: url, MILLRACE_API_KEY: apiKey, XDG_CONFIG_HOME: config, HOME: home } = process.env
  return {
    url: url || undefined,
    apiKey: apiKey || undefined,
    configDirectory: config || (home === undefined || home === '' ? undefined : `${home}/.config`),
  }
}
