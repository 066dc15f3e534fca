const parts = 'The page of the system shows this part by health.system; the operation is for monitoring.'
const provider = 'The browser is sent here, by the address in auth.methods or by the provider; pages never fetch it.'
const site = 'For the forms of a public web site of the operator; it has no page here.'
const missing = 'No page has it yet:'

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
  'auth.linkIdentity': `${missing} an identity is linked by the first sign-in with it.`,
  'auth.resendVerification': `${missing} a mail that got lost is sent again by the API.`,
  'auth.phoneEnroll': `${missing} a phone as second factor is added by the API.`,
  'auth.phoneEnrollVerify': `${missing} a phone as second factor is added by the API.`,
  'auth.phoneDelete': `${missing} a phone as second factor is removed by the API.`,
  'auth.phoneVerify': 'A sign-in by a code to the phone alone; the page of the second step verifies codes by auth.mfaVerify.',

  'workflows.createFromTemplate': 'Pages of templates call templates.import, which also takes values of parameters.',
  'workflows.export': `${missing} the text of a workflow is copied from the editor.`,
  'execute.run': 'The page of starts shows it as a curl line; pages start workflows by workflows.execute and watch the run.',
  'workflowDrafts.versions': `${missing} the editor shows the difference from the latest version alone.`,
  'analytics.workflow': `${missing} the page of insights shows the figures of each workflow by analytics.workflows.`,

  'archivist.packContent': 'A link in the reply of archivist.pack, which the browser opens.',
  'account.exportContent': 'A link in the reply of account.export, which the browser opens.',
  'billing.invoice': 'The list of invoices has everything that this reply has; it is for programs.',
  'eventSubscriptions.get': 'The list of subscriptions has everything that this reply has; it is for programs.',
  'triggers.toggleSchedule': 'The same as triggers.toggle, which pages call for every kind of start.',
  'changes.stream': `${missing} lists are read again every few seconds.`,

  'mcp.chat': 'The endpoint of MCP clients; the page of the assistant calls assistant.chat.',
  'agent.transcribe': `${missing} speech is transcribed by the API.`,
  'aiAssist.generateWorkflow': 'Another path of ai.generateWorkflow, which the page of words calls.',
  'aiAssist.assist': `${missing} explanations of a step are given by the assistant.`,

  'privacy.restore': `${missing} reversible redaction is used by programs.`,
  'privacy.egress': `${missing} data on its way out is shown on the page of the account.`,
  'erasures.create': `${missing} persons are erased by the API.`,
  'erasures.list': `${missing} persons are erased by the API.`,
  'erasures.get': `${missing} persons are erased by the API.`,

  'contact.send': site,
  'leads.contact': site,
  'leads.demo': site,
  'leads.newsletter': site,
  'leads.challenge': site,

  'billing.updatePlan': `${missing} operators change plans by the API.`,
  'billing.manualActivate': `${missing} operators record payments by the API.`,
  'billing.creditNote': `${missing} operators issue credit notes by the API.`,
  'webhooks.pspone': 'Payment providers send notifications here.',
  'webhooks.psptwo': 'Payment providers send notifications here.',
}
