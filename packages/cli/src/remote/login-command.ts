import { defineCommand } from '#command/command.ts'

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'Sign in to a running server, for deploy, executions, logs, cancel and users',
  description: [
    'Asks for address, password and, where it is on, the second factor, issues an API key that ends after 90 days, and stores it in ~/.config/millrace/logins.json, which only you can read. The server becomes that of the following commands.',
    'In CI set MILLRACE_URL and MILLRACE_API_KEY instead; then no login is needed.',
  ],
  operands: { text: '[URL]', min: 0, max: 1 },
  options: {
    email: { type: 'string', value: 'ADDRESS', summary: 'Address to sign in with; asked for unless given.' },
    'password-stdin': { type: 'boolean', summary: 'Read the password from standard input.' },
    'key-stdin': { type: 'boolean', summary: 'Store an API key that is read from standard input.' },
    forget: { type: 'boolean', summary: 'Delete the stored login. The key itself is revoked in the web interface.' },
  },
  examples: [
    { line: 'millrace login', what: 'Sign in to http://127.0.0.1:3000.' },
    { line: 'millrace login https://millrace.example.com --email ada@example.com', what: 'Sign in to another server.' },
  ],
  exits: { 1: 'the server refused, or does not answer' },
  async run({ values, operands }, terminal) {
    const { login } = await import('./login.ts')
    const { email, forget } = values
    return login(
      { url: operands[0], email, passwordFromInput: values['password-stdin'], keyFromInput: values['key-stdin'], forget },
      terminal,
    )
  },
})
