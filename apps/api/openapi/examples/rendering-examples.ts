/** The welcome email of the other examples, as MJML. */
const mjmlWith = (title: string) => `<mjml lang="und" dir="ltr">
  <mj-head>
    <mj-title>${title}</mj-title>
    <mj-attributes>
      <mj-all font-family="Arial, sans-serif" />
      <mj-text align="left" padding="8px 24px" font-size="16px" line-height="1.5" color="#1f2933" />
    </mj-attributes>
  </mj-head>
  <mj-body width="600px" background-color="#F4F4F4">
    <mj-section padding="16px 0">
      <mj-column>
        <mj-text font-weight="bold" line-height="1.25" padding="16px 24px 4px" font-size="32px"><h1 style="margin:0;font-size:32px;font-weight:bold;line-height:1.25">Welcome aboard</h1></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

/** The responses to the example requests about rendering, by `operationId`. */
export const renderingExamples: Record<string, object> = {
  renderTemplate: { mjml: mjmlWith('Welcome'), warnings: [], variables: { used: [], missing: [] } },
  sendTestEmail: {
    accepted: ['reviews@example.com'],
    response: '250 2.0.0 Ok: queued as 4711',
    messageId: '<5b0d7a1e-3c42-4f6b-9d58-e07c1a2b3f64@example.com>',
  },
  render: { mjml: mjmlWith('Email'), warnings: [], variables: { used: [], missing: [] } },
};
