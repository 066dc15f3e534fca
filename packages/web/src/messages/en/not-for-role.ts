/** What stands in place of a page that the role of a person does not include. */
export const notForRole = {
  title: 'Your role does not include this page',
  roles: (names: readonly string[]) =>
    `It is for people with the role ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`,
  own: (name: string) => `Yours is ${name}.`,
  ask: 'An administrator of the account can give you another role.',
  operators: 'It is for the people who run this installation.',
}
