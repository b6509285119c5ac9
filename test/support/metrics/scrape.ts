/** The series of one scrape: `name{label="value"}`, with sorted labels, → value. */
export class Scrape {
  private constructor(
    readonly text: string,
    readonly series: ReadonlyMap<string, number>,
  ) {}

  static async of(port: number): Promise<Scrape> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (response.status !== 200) throw new Error(`/metrics responded with ${response.status}.`);
    const text = await response.text();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Scrape(
      text,
      new Map(
        lines.map((line) => {
          const end = line.lastIndexOf(' ');
          return [line.slice(0, end), Number(line.slice(end + 1))];
        }),
      ),
    );
  }

  /** The value of a series, such as `galley_ready` or `name{label="value"}`; undefined if it is absent. */
  value(series: string): number | undefined {
    return this.series.get(series);
  }
}
