/** The schema of the full name of a function of a connector. */
export const functionName = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}\\.[A-Za-z][A-Za-z0-9_-]{0,99}$' } as const
