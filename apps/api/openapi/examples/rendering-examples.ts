/** The welcome email of the other examples, as MJML. */
const mjmlWith = (title: string) => `<mjml lang="und" dir="ltr">
  <mj-head>
    <mj-title>${title}</mj-title>
    <mj-attributes>
      <mj-all font-family="Arial, sans-serif" />
    </mj-attributes>
  </mj-head>
  <mj-body width="600px" background-color="#F4F4F4">
    <mj-section>
      <mj-column>
        <mj-text font-size="24px" font-weight="bold"><h1 style="margin:0;font-size:inherit;font-weight:inherit;line-height:inherit">Welcome aboard</h1></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

/** The responses to the example requests about rendering, by `operationId`. */
export const renderingExamples: Record<string, object> = {
  renderTemplate: { mjml: mjmlWith('Welcome'), warnings: [], variables: { used: [], missing: [] } },
  render: { mjml: mjmlWith('Email'), warnings: [], variables: { used: [], missing: [] } },
};
