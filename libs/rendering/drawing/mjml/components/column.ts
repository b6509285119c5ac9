import type { BodyComponent } from 'mjml-core';
import presetCore from 'mjml-preset-core';

type Styles = Record<string, Record<string, string | undefined>>;
interface MjmlColumn extends BodyComponent {
  getStyles(): Styles;
  hasGutter(): unknown;
}

const MjColumn = presetCore.components.find(
  ({ componentName }) => componentName === 'mj-column',
) as unknown as (new (...args: unknown[]) => MjmlColumn) & {
  allowedAttributes: Record<string, string>;
};

const BACKGROUND_ATTRIBUTES = {
  'background-url': 'string',
  'background-repeat': 'enum(repeat,no-repeat)',
  'background-size': 'string',
  'background-position': 'string',
};

/** An `mj-column` with a background image, which MJML's own does not support. Outlook on Windows shows the colour alone. */
export class Column extends MjColumn {
  static readonly componentName = 'mj-column';
  static override readonly allowedAttributes = {
    ...MjColumn.allowedAttributes,
    ...BACKGROUND_ATTRIBUTES,
  };

  override getStyles(): Styles {
    const styles = super.getStyles();
    const url = this.getAttribute('background-url');
    if (url === undefined) return styles;
    const background = {
      'background-image': `url('${url}')`,
      'background-position': this.getAttribute('background-position') ?? 'center center',
      'background-repeat': this.getAttribute('background-repeat') ?? 'no-repeat',
      'background-size': this.getAttribute('background-size') ?? 'cover',
    };
    // MJML draws the background on the element that has the padding.
    const part = this.hasGutter() ? 'gutter' : 'table';
    return { ...styles, [part]: { ...styles[part], ...background } };
  }
}
