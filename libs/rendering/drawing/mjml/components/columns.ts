import mjmlCore, { type BodyComponent } from 'mjml-core';

/** Columns side by side inside a column, which MJML does not have. On phones, they are stacked. */
export const COLUMNS = 'galley-columns';

/** Draws its columns as `mj-section` draws them, but without a box of its own: the column around them has one. */
export class Columns extends mjmlCore.BodyComponent {
  static override readonly componentName = COLUMNS;
  static override readonly allowedAttributes = {};
  static override readonly defaultAttributes = {};

  override getChildContext(): Record<string, unknown> {
    // The gutter of a section is the space between its own columns.
    return { ...this.context, gutter: undefined };
  }

  override render(): string {
    const columns = this.renderChildren(this.props.children, {
      renderer: (component) =>
        component.constructor.isRawElement()
          ? component.render()
          : forOutlook(`<td ${component.htmlAttributes(cellAttributes(component))}>`) +
            component.render() +
            forOutlook('</td>'),
    });
    const table = '<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr>';
    return `${forOutlook(table)}${columns}${forOutlook('</tr></table>')}`;
  }
}

const cellAttributes = (component: BodyComponent): Record<string, string> => ({
  class: mjmlCore.suffixCssClasses(component.getAttribute('css-class'), 'outlook'),
  style: 'tdOutlook',
});

/** Outlook on Windows does not put elements side by side without a table. */
const forOutlook = (html: string): string => `<!--[if mso | IE]>${html}<![endif]-->`;
