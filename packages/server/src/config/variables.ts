/** Every variable that Millrace reads, with one line for people. `NAME_FILE` stands for a file that holds the value. */
export const variables = {
  PORT: 'port to listen on; 0 takes any free one',
  HOST: 'address to listen on',
  DATABASE_URL: 'PostgreSQL 16 or newer; without it the built-in one is started',
  DATABASE_URL_FILE: 'file that holds DATABASE_URL',
  MILLRACE_HOME: 'directory for the built-in database and generated keys',
  MILLRACE_PUBLIC_URL: 'address under which people reach this installation',
  MILLRACE_SECRET_KEY: 'key that seals secrets in the database: 32 bytes, base64 or hexadecimal',
  MILLRACE_SECRET_KEY_FILE: 'file that holds MILLRACE_SECRET_KEY',
  MILLRACE_ROLES: 'what this process does',
  MILLRACE_FLAGS: 'flags that are true',
  MILLRACE_RATE_LIMIT_GLOBAL: 'requests of one address to everything, as N/SECONDS',
  MILLRACE_RATE_LIMIT_AUTH: 'requests of one address to sign-in routes, as N/SECONDS',
  MILLRACE_RATE_LIMIT_EXECUTION: 'requests of one address to execution routes, as N/SECONDS',
  MILLRACE_CORS_ORIGINS: 'origins that browsers may call from',
  MILLRACE_TRUST_PROXY: 'proxies in front whose X-Forwarded-For is believed',
  MILLRACE_PRIVATE_NETWORK: 'private addresses that workflows may reach',
  MILLRACE_DATABASE_CONNECTIONS: 'most connections of this process to PostgreSQL',
  MILLRACE_EXECUTIONS_MAX: 'most executions that this process runs at once',
  MILLRACE_EXECUTIONS_PER_ACCOUNT: 'most executions of one account that this process runs at once',
  MILLRACE_LOG_LEVEL: 'least severe log lines that are written',
  MILLRACE_SHUTDOWN_SECONDS: 'time to finish what is under way when asked to stop',
} as const satisfies Readonly<Record<string, string>>

export type Variable = keyof typeof variables
