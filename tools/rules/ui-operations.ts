const parts = 'The page of the system shows this part by health.system; the operation is for monitoring.'
const provider = 'The browser is sent here, by the address in auth.methods or by the provider; pages never fetch it.'
const site = 'For the forms of a public web site of the operator; it has no page here.'

/** Operations that no page of the web UI calls, each with the reason. `ui-operations.test.ts` fails for an operation that is neither called nor here. */
export const notInTheUi: Readonly<Record<string, string>> = {
  'health.live': parts,
  'health.ready': parts,
  'health.database': parts,
  'health.models': parts,
  'health.providers': parts,
  'agent.localModelPing': parts,
  'agent.localModelStatus': parts,

  'auth.loginOne': provider,
  'auth.loginOneCallback': provider,
  'auth.loginTwo': provider,
  'auth.loginTwoCallback': provider,
  'auth.oidcCallback': provider,
  'auth.samlAcs': provider,
  'auth.phoneVerify': 'A sign-in by a code to the phone alone; the page of the second step verifies codes by auth.mfaVerify.',

  'workflows.createFromTemplate': 'Pages of templates call templates.import, which also takes values of parameters.',
  'execute.run': 'The page of starts shows it as a curl line; pages start workflows by workflows.execute and watch the run.',

  'archivist.packContent': 'A link in the reply of archivist.pack, which the browser opens.',
  'account.exportContent': 'A link in the reply of account.export, which the browser opens.',
  'persons.reportContent': 'A link in the reply of persons.linkReport, which the browser opens.',
  'persons.report': 'The list of reports has everything that this reply has; it is for programs.',
  'files.get': 'The list of files has everything that this reply has; it is for programs.',
  'files.content': 'Pages of runs fetch the bytes by the address; lists make a link that the browser opens.',
  'audit.exportEvents': 'The page of the audit log fetches the bytes by the address.',
  'approvals.file': 'Pages fetch the bytes by the address.',
  'approvals.linkedFile': 'The page behind a link shows the file by its address.',
  'files.linkContent': 'A link in the reply of files.link, which the browser opens.',
  'billing.invoice': 'The list of invoices has everything that this reply has; it is for programs.',
  'models.get': 'The list of models has everything that this reply has; it is for programs.',
  'eventSubscriptions.get': 'The list of subscriptions has everything that this reply has; it is for programs.',
  'triggers.createSchedule': 'The same as triggers.create, which the form of every kind of start calls.',
  'triggers.createWebhook': 'See triggers.createSchedule.',
  'triggers.toggleSchedule': 'The same as triggers.toggle, which pages call for every kind of start.',

  'mcp.tools': 'Owners offer connectors to MCP clients by the API.',
  'mcp.offerTool': 'Owners do this by the API; see mcp.tools.',
  'mcp.withdrawTool': 'Owners do this by the API; see mcp.tools.',
  'mcp.chat': 'The endpoint of MCP clients; the page of the assistant calls assistant.chat.',
  'agent.transcribe': 'The assistant sends what a person speaks as the body itself, which the client of the contract does not.',
  'aiAssist.generateWorkflow': 'Another path of ai.generateWorkflow, which the page of words calls.',

  'contact.send': site,
  'leads.contact': site,
  'leads.demo': site,
  'leads.newsletter': site,
  'leads.challenge': site,

  'webhooks.pspone': 'Payment providers send notifications here.',
  'webhooks.psptwo': 'Payment providers send notifications here.',
}
