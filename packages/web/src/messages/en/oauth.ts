/** Texts of the page on which a person allows an MCP client. */
export const oauth = {
  oauth: {
    title: (client: string) => `Allow ${client}?`,
    heading: 'Allow a program',
    text: (client: string, host: string) =>
      `The program calls itself “${client}” and wants to use the published workflows of this account in your name. You return to ${host}.`,
    incomplete: 'This link is not complete',
    incompleteText: 'A program sends you here with a request of its own. Begin again in that program.',
    lasts: 'The access ends a year from now, or when the program has not used it for 60 days.',
    warning: 'Allow it only if you have just connected it yourself. You can revoke it at any time among the API keys.',
    may: 'It may',
    scopes: {
      'executions:run': 'run workflows that need no approval, and propose the others to you',
      'executions:read': 'read the results of runs',
    },
    allow: 'Allow',
    deny: 'Deny',
  },
}
