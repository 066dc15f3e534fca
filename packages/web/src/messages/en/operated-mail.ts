/** Texts about the mails of the installation. */
export const operatedMail = {
  title: 'Mail',
  text: 'The test mail goes to your own address, at once. You see what the mail server answers.',
  links: 'Links in mails lead to',
  test: 'Send a test mail',
  trouble: (count: number) => `Mails do not go out: ${count} attempts in a row have failed, the first`,
  sent: (to: string) => `The mail server took the mail to ${to}. If it does not arrive, look in the spam.`,
  answer: (server: string) => `Reported for ${server}:`,
  outcomes: {
    sent: 'The mail server took the mail.',
    not_configured: 'No mail server is configured. Set MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM, and restart the server.',
    unknown_host: 'There is no mail server of this name. Check the host in MILLRACE_SMTP_URL.',
    unreachable: 'No mail server answers there. Check the host and the port in MILLRACE_SMTP_URL.',
    certificate:
      'The certificate of the mail server is not trusted. Use the name that it is made for, or trust it by MILLRACE_SMTP_CA_FILE.',
    no_tls: 'The mail server does not encrypt as it is configured to. Check smtp:// or smtps://, the port, and MILLRACE_SMTP_TLS.',
    login_refused: 'The mail server refused the login. Check user and password in MILLRACE_SMTP_URL.',
    refused: 'The mail server refused the mail. Its answer says why; often it does not accept the sender, MILLRACE_MAIL_FROM.',
    timeout: 'The mail server did not answer in time. Check the port, and whether a firewall lets connections through.',
    failed: 'The mail could not be sent.',
  },
}
